//! Drawings as pixels. Pure.

use resvg::{tiny_skia, usvg};

/// A drawing at its size times a scale; none if that is no size of a picture.
///
/// # Errors
/// When the text is no drawing.
pub(crate) fn drawn(svg: &str, scale: f32) -> Result<Option<tiny_skia::Pixmap>, usvg::Error> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default())?;
    let size = tree.size();
    let (width, height) = (size.width() * scale, size.height() * scale);
    let Some(mut pixmap) = tiny_skia::Pixmap::new(width as u32, height as u32) else {
        return Ok(None);
    };
    let scaled = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, scaled, &mut pixmap.as_mut());
    Ok(Some(pixmap))
}
