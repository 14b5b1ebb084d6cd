//! Taking means off, on the device, where the system leaves them open.

use super::components::Components;
use super::kernels::{ChunkSums, CountU, PartMeans, SubtractMeans};
use crate::device::{Buf, Device, Result};

/// The singular parts on the device.
pub(super) struct Singular {
    chunks: Buf<[u32; 4]>,
    parts: Buf<[u32; 4]>,
    part: Buf<u32>,
    sums: Buf<f32>,
    means: Buf<f32>,
}

impl Singular {
    /// Of the parts that were found.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device, found: &Components) -> Result<Self> {
        Ok(Self {
            chunks: dev.buf_from("chunks of singular parts", &found.chunks)?,
            parts: dev.buf_from("singular parts", &found.parts)?,
            part: dev.buf_from("part of each cell", &found.of_cell)?,
            sums: dev.buf("sums of chunks", found.chunks.len())?,
            means: dev.buf("means of parts", found.parts.len())?,
        })
    }

    /// Takes its mean off each part.
    pub fn subtract_means(&mut self, dev: &mut Device, values: &mut Buf<f32>) {
        let (chunks, parts, cells) = (self.chunks.len(), self.parts.len(), self.part.len());
        dev.run(
            [chunks as u32, 1, 1],
            ChunkSums {
                size: CountU::new(chunks),
                chunks: &self.chunks,
                values,
                sums: &mut self.sums,
            },
        );
        dev.run(
            [parts as u32, 1, 1],
            PartMeans {
                size: CountU::new(parts),
                parts: &self.parts,
                sums: &self.sums,
                means: &mut self.means,
            },
        );
        dev.run(
            [cells as u32, 1, 1],
            SubtractMeans {
                size: CountU::new(cells),
                part: &self.part,
                means: &self.means,
                values,
            },
        );
    }
}
