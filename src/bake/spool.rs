//! Frames that wait until the range of the whole sequence is known: in memory as long as they fit, else in a file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::BakeError;
use super::texels::Texels;

enum Store {
    Memory(Vec<Vec<f32>>),
    Disk(File),
}

/// Frames of equal size.
pub struct Spool {
    store: Store,
    path: PathBuf,
}

impl Spool {
    /// An empty spool. On disk it is a nameless file in `folder`, gone with this value.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn new(in_memory: bool, folder: &Path) -> Result<Self, BakeError> {
        let store = if in_memory {
            Store::Memory(Vec::new())
        } else {
            let file = tempfile::tempfile_in(folder)
                .map_err(|e| BakeError::io(folder, "cannot keep frames here", &e))?;
            Store::Disk(file)
        };
        Ok(Self {
            store,
            path: folder.to_owned(),
        })
    }

    /// Appends a frame.
    ///
    /// # Errors
    /// A full disk.
    pub fn push(&mut self, texels: Texels) -> Result<(), BakeError> {
        match &mut self.store {
            Store::Memory(frames) => frames.push(texels.data),
            Store::Disk(file) => file
                .seek(SeekFrom::End(0))
                .and_then(|_| file.write_all(bytemuck::cast_slice(&texels.data)))
                .map_err(|e| BakeError::io(&self.path, "cannot keep a frame here", &e))?,
        }
        Ok(())
    }

    /// The frame at `index`, of a size that the caller knows.
    ///
    /// # Errors
    /// A disk that fails.
    pub fn get(&mut self, index: u32, like: (u32, u32, usize)) -> Result<Texels, BakeError> {
        let (width, height, channels) = like;
        let mut texels = Texels::new(width, height, channels);
        match &mut self.store {
            Store::Memory(frames) => {
                if let Some(frame) = frames.get(index as usize) {
                    texels.data.copy_from_slice(frame);
                }
            }
            Store::Disk(file) => {
                let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut texels.data);
                let offset = u64::from(index) * bytes.len() as u64;
                file.seek(SeekFrom::Start(offset))
                    .and_then(|_| file.read_exact(bytes))
                    .map_err(|e| BakeError::io(&self.path, "cannot read a frame back", &e))?;
            }
        }
        Ok(texels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disk_and_memory_give_the_same_back() {
        let dir = tempfile::tempdir().expect("temp dir");
        for in_memory in [true, false] {
            let mut spool = Spool::new(in_memory, dir.path()).expect("spool");
            for k in 0..3 {
                let mut t = Texels::new(3, 2, 2);
                t.data.fill(k as f32 + 0.5);
                spool.push(t).expect("push");
            }
            for k in [2, 0, 1] {
                let t = spool.get(k, (3, 2, 2)).expect("get");
                assert!(t.data.iter().all(|v| *v == k as f32 + 0.5));
            }
        }
        assert_eq!(std::fs::read_dir(dir.path()).expect("dir").count(), 0);
    }
}
