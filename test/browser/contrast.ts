/**
 * Runs in the page: the texts that do not stand out from what is behind them, by WCAG's measure (4.5 to 1).
 * As a string, since the page knows nothing of ours.
 */
export const faintTexts = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color[3] !== 0) return color;
    }
    return [255, 255, 255];
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: element, data } = walker.currentNode;
    if (!data.trim() || element.closest('style')) continue;
    const levels = [luminance(channels(getComputedStyle(element).color)), luminance(behind(element))];
    const contrast = (Math.max(...levels) + 0.05) / (Math.min(...levels) + 0.05);
    if (contrast < 4.5) faint.push(data.trim() + ' (' + contrast.toFixed(2) + ')');
  }
  return faint;
})()`;
