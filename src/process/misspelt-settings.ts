import { closestMatch } from 'leven';
import { settingNames, variableNames } from '../config.js';

/** Returns the variables whose names are almost those of settings, with the settings that are probably meant (D253). */
export const misspeltSettings = (environment?: Record<string, string>): { name: string; meant: string }[] =>
  variableNames(environment).flatMap((name) => {
    const meant = settingMeant(name);
    return meant === undefined ? [] : [{ name, meant }];
  });

/** Returns one line that names all of them; null if there are none. */
export function misspeltWarning(environment?: Record<string, string>): string | null {
  const found = misspeltSettings(environment).map(({ name, meant }) => `${name} (${meant}?)`);
  return found.length === 0 ? null : `Not settings, and without effect: ${found.join(', ')}.`;
}

function settingMeant(name: string): string | undefined {
  if (settingNames.includes(name)) return undefined;
  const inCapitals = name.toUpperCase().replaceAll('-', '_');
  // Short names are similar to many: HOME is not a misspelt HOST.
  const maxDistance = Math.min(3, Math.floor(name.length / 5));
  const isTransposed = (setting: string) => lettersOf(setting) === lettersOf(inCapitals);
  return closestMatch(inCapitals, settingNames, { maxDistance }) ?? settingNames.find(isTransposed);
}

const lettersOf = (name: string) => [...name].sort().join('');
