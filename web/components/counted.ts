const figures = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** A number where there is little room: "9,876", "12K". */
export const brief = (count: number): string => (count < 10_000 ? figures : compact).format(count);

/** A number with its noun: "1 install", "1,234 installs". */
export const counted = (count: number, noun: string): string =>
  `${figures.format(count)} ${noun}${count === 1 ? '' : 's'}`;
