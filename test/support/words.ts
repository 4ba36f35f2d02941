/** Returns the words of a text, for lists that would fill a page with one word in each line. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
