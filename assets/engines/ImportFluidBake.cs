// Gives the textures of eddy_look the settings that they need, whenever Unity imports them.
//
// Copy this file into the project first, anywhere below Assets, then the textures. Where they were there before: select them,
// and choose Reimport in the menu of the right mouse button.
#if UNITY_EDITOR
using System.Collections.Generic;
using System.IO;
using UnityEditor;
using UnityEngine;

public class ImportFluidBake_eddy_look : AssetPostprocessor
{
    // File, kind, and whether it tiles across and down.
    static readonly Dictionary<string, (string kind, bool tilesX, bool tilesY)> Textures =
        new Dictionary<string, (string kind, bool tilesX, bool tilesY)>
        {
            // eddy:textures
        };

    // Block compression would bend what is not a colour.
    static readonly Dictionary<string, TextureImporterFormat> Formats = new Dictionary<string, TextureImporterFormat>
    {
        { "color", TextureImporterFormat.Automatic },
        { "normal", TextureImporterFormat.Automatic },
        { "data8", TextureImporterFormat.RGBA32 },
        { "data16", TextureImporterFormat.RGBA64 },
        { "half", TextureImporterFormat.RGBAHalf },
        { "float", TextureImporterFormat.RGBAFloat },
    };

    void OnPreprocessTexture()
    {
        if (!Textures.TryGetValue(Path.GetFileName(assetPath), out var texture))
            return;
        bool color = texture.kind == "color";
        var importer = (TextureImporter)assetImporter;
        importer.textureType =
            texture.kind == "normal" ? TextureImporterType.NormalMap : TextureImporterType.Default;
        importer.sRGBTexture = color;
        importer.alphaIsTransparency = false;
        importer.mipmapEnabled = false;
        // Scaling to a power of two would move the cells of a sheet and blur numbers.
        importer.npotScale = TextureImporterNPOTScale.None;
        importer.wrapModeU = texture.tilesX ? TextureWrapMode.Repeat : TextureWrapMode.Clamp;
        importer.wrapModeV = texture.tilesY ? TextureWrapMode.Repeat : TextureWrapMode.Clamp;
        var platform = importer.GetDefaultPlatformTextureSettings();
        platform.maxTextureSize = 16384;
        platform.format = Formats[texture.kind];
        platform.textureCompression =
            color ? TextureImporterCompression.CompressedHQ : TextureImporterCompression.Uncompressed;
        importer.SetPlatformTextureSettings(platform);
    }
}
#endif
