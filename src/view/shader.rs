//! The picture on a GPU: the passes of `shaders/view/` on a device that the caller owns.

use egui_wgpu::wgpu;

use crate::document::ViewSettings;
use crate::field::FieldData;

/// The passes with their buffers.
pub struct Shader {
    device: wgpu::Device,
}

impl Shader {
    /// None where the device cannot run them.
    pub fn new(device: &wgpu::Device) -> Option<Self> {
        let _ = device;
        None
    }

    /// Fills the texture. False where the field is too large for the device.
    pub fn render(
        &mut self,
        _queue: &wgpu::Queue,
        _field: &FieldData,
        _obstacle: Option<&FieldData>,
        _settings: &ViewSettings,
        _texture: &wgpu::Texture,
    ) -> bool {
        let _ = &self.device;
        false
    }
}
