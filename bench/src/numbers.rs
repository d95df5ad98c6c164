//! Medians, percentiles, and how they are written.

/// The middle one of some values; of two middle ones the lower. Zero of none.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len().saturating_sub(1) / 2;
    sorted.get(middle).copied().unwrap_or_default()
}

/// By how much the mean of such values is off by chance: its standard error. Zero of less than two.
pub(crate) fn standard_error(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    if count < 2.0 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (count - 1.0) / count).sqrt()
}

/// The value below which so many percent of sorted values lie. Zero of none.
pub(crate) fn percentile(sorted: &[u32], percent: usize) -> u32 {
    let index = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    sorted.get(index).copied().unwrap_or_default()
}

/// The median with the least and the greatest value.
pub(crate) fn spread(values: &[f64], digits: usize) -> String {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let middle = written(median(values), digits);
    if values.len() < 2 {
        return middle;
    }
    format!(
        "{middle} [{}-{}]",
        written(least, digits),
        written(greatest, digits)
    )
}

/// A number with so many digits after the point, and commas between thousands.
pub(crate) fn written(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) && !grouped.ends_with('-') {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_error_shrinks_with_the_number_of_values() {
        assert!((standard_error(&[1.0, 3.0]) - 1.0).abs() < 1e-9);
        let often = [1.0, 3.0].repeat(50);
        assert!((standard_error(&often) - 0.1).abs() < 1e-3);
        assert!(standard_error(&[7.0]).abs() < 1e-9);
    }

    #[test]
    fn thousands_are_grouped() {
        for (value, digits, text) in [
            (0.0, 0, "0"),
            (999.4, 0, "999"),
            (1_000.0, 0, "1,000"),
            (87_123.456, 1, "87,123.5"),
            (-1_234.0, 0, "-1,234"),
            (-123.0, 0, "-123"),
        ] {
            assert_eq!(written(value, digits), text);
        }
    }

    #[test]
    fn the_middle_and_the_edges_of_few_values_are_defined() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
        assert!((median(&[]) - 0.0).abs() < 1e-9);
        assert_eq!(percentile(&[], 50), 0);
        assert_eq!(percentile(&[7], 99), 7);
        assert_eq!(percentile(&[1, 2, 3, 4], 50), 3);
        assert_eq!(spread(&[2.0, 1.0, 3.0], 0), "2 [1-3]");
    }
}
