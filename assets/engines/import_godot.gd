# Gives the textures of eddy_look the import settings that they need.
#
# Godot 4.2 or later. Copy this file and the textures into one folder of the project, let the editor import them, open this
# file in the script editor, and choose File > Run.
@tool
extends EditorScript

const TEXTURES := {
	# eddy:textures
}

# Compress > Mode: 0 is Lossless, 3 is VRAM Uncompressed. Lossy and VRAM Compressed would bend what is not a colour.
const MODES := {
	"color": 0,
	"normal": 0,
	"data8": 0,
	"data16": 0,
	"half": 3,
	"float": 3,
}


func _run() -> void:
	var folder: String = (get_script() as Script).resource_path.get_base_dir()
	var changed := PackedStringArray()
	for file: String in TEXTURES:
		var path := folder.path_join(file)
		var settings := ConfigFile.new()
		if settings.load(path + ".import") != OK:
			push_warning("Eddy: %s is not imported yet" % path)
			continue
		settings.set_value("params", "compress/mode", MODES[TEXTURES[file]])
		settings.set_value("params", "mipmaps/generate", false)
		# Or the first use in 3D would compress it.
		settings.set_value("params", "detect_3d/compress_to", 0)
		settings.save(path + ".import")
		changed.append(path)
	EditorInterface.get_resource_filesystem().reimport_files(changed)
