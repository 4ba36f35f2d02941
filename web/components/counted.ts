const figures = new Intl.NumberFormat('en');

/** A number with its noun: "1 install", "1,234 installs". */
export const counted = (count: number, noun: string): string =>
  `${figures.format(count)} ${noun}${count === 1 ? '' : 's'}`;
