"""Imports the textures of eddy_look with the settings that they need.

In the Unreal editor: switch the plug-in "Python Editor Script Plugin" on, then Tools > Execute Python Script, and choose this
file where it lies, beside the textures. They go into /Game/Eddy/eddy_look; run it again after a new bake.
"""

import os

import unreal

DESTINATION = "/Game/Eddy/eddy_look"

# File, kind, and whether it tiles across and down.
TEXTURES = [
    # eddy:textures
]

# Whether the texture is sRGB, and how it is compressed. Block compression would bend what is not a colour.
SETTINGS = {
    "color": (True, "TC_DEFAULT"),
    "normal": (False, "TC_NORMALMAP"),
    "data8": (False, "TC_VECTOR_DISPLACEMENTMAP"),
    "data16": (False, "TC_HDR"),
    "half": (False, "TC_HDR"),
    "float": (False, "TC_HDR_F32"),
}


def task_for(path):
    task = unreal.AssetImportTask()
    task.set_editor_property("filename", path)
    task.set_editor_property("destination_path", DESTINATION)
    task.set_editor_property("replace_existing", True)
    task.set_editor_property("automated", True)
    task.set_editor_property("save", False)
    return task


def address(tiles):
    return unreal.TextureAddress.TA_WRAP if tiles else unreal.TextureAddress.TA_CLAMP


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    tasks = [task_for(os.path.join(folder, file)) for file, _, _, _ in TEXTURES]
    unreal.AssetToolsHelpers.get_asset_tools().import_asset_tasks(tasks)
    for task, (file, kind, tiles_x, tiles_y) in zip(tasks, TEXTURES):
        srgb, compression = SETTINGS[kind]
        paths = task.get_editor_property("imported_object_paths")
        if not paths:
            unreal.log_warning("Eddy: {} was not imported".format(file))
        for path in paths:
            texture = unreal.load_asset(path)
            texture.set_editor_property(
                "compression_settings", getattr(unreal.TextureCompressionSettings, compression)
            )
            texture.set_editor_property("srgb", srgb)
            texture.set_editor_property("mip_gen_settings", unreal.TextureMipGenSettings.TMGS_NO_MIPMAPS)
            texture.set_editor_property("address_x", address(tiles_x))
            texture.set_editor_property("address_y", address(tiles_y))
            unreal.EditorAssetLibrary.save_loaded_asset(texture)


main()
