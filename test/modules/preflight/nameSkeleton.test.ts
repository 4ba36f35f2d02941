import { describe, expect, it } from '@jest/globals';
import { nameSkeleton } from '../../../src/modules/names/name.rules.js';

describe('names that look alike', () => {
  it.each([
    ['a hyphen for a space', 'Time Tracker', 'Time-Tracker'],
    ['an en dash for a space', 'Time Tracker', 'Time–Tracker'],
    ['an underscore for a space', 'Time Tracker', 'Time_Tracker'],
    ['a dot for a space', 'Time Tracker', 'Time.Tracker'],
    ['a middle dot between spaces', 'Time Tracker', 'Time · Tracker'],
    ['no space at all', 'Time Tracker', 'TimeTracker'],
    ['a hyphen at the end', 'Time Tracker', 'Time Tracker-'],
    ['an exclamation mark', 'Time Tracker', 'Time Tracker!'],
    ['accents', 'Time Tracker', 'Timé Träckér'],
    ['an accent as a character of its own', 'Café', 'Cafe\u0301'],
    ['two accents on one letter', 'Viet', 'Việt'],
    ['a ring and a diaeresis', 'Angstrom', 'Ångström'],
    ['a Greek accent', 'Νεα', 'Νέα'],
    ['a Cyrillic breve', 'Иод', 'Йод'],
    ['accents and hyphens together', 'Crème Brûlée', 'creme-brulee'],
  ])('are the same although one has %s: %s and %s (D113)', (_, one, other) => {
    expect(nameSkeleton(other)).toBe(nameSkeleton(one));
  });

  it.each([
    ['another letter', 'Café', 'Cave'],
    ['one letter more', 'Time Tracker', 'Time Trackers'],
    ['the words in another order', 'Time Tracker', 'Tracker Time'],
    ['another number', 'Notes 2', 'Notes 3'],
    ['a Japanese voicing mark, which makes another letter', 'カス', 'ガス'],
    ['other signs, where a name has no letters', '+++', '---'],
  ])('are not the same where one has %s: %s and %s (D113)', (_, one, other) => {
    expect(nameSkeleton(other)).not.toBe(nameSkeleton(one));
  });
});
