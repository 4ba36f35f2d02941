/** The labels of the console for the fields of listings, profiles and webhook endpoints. */
const labels: Readonly<Record<string, string>> = {
  bannerUrl: 'Banner',
  bio: 'About you',
  companyName: 'Company',
  description: 'Short description',
  email: 'E-mail address',
  logoUrl: 'Logo',
  longDescription: 'Full description',
  oauthClientId: 'OAuth client',
  releaseNotes: 'What’s new',
  url: 'URL',
  versionNumber: 'Version number',
  websiteUrl: 'Website',
};

/** Returns a field as the console names it: `bannerUrl` is "Banner", `screenshots.0.url` is "Screenshot 1". */
export function fieldLabel(field: string): string {
  const position = /^screenshots\.(\d+)/.exec(field)?.[1];
  if (position) return `Screenshot ${Number(position) + 1}`;
  return labels[field] ?? capitalized(field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

/** Returns a field of a webhook endpoint as the console names it. */
export const endpointFieldLabel = (field: string): string =>
  field === 'description' ? 'Note' : fieldLabel(field);

/** Returns a code in words: `IMAGE_QUALITY` is "Image quality". */
export const codeLabel = (code: string): string => capitalized(code.toLowerCase().replaceAll('_', ' '));

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
