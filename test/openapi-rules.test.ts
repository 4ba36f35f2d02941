import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ISpectralDiagnostic, RulesetDefinition } from '@stoplight/spectral-core';
import spectral from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';

/** Violations that are left on purpose, each with its reason. */
const waivers: { rule: string; place: RegExp; reason: string }[] = [
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    place: /./,
    reason: 'No origin is let in unless CORS_ORIGINS names it, so no answer has the header by itself.',
  },
  {
    rule: 'owasp:api2:2023-write-restricted',
    place: /^paths\.\/api\/apps\/\{slug\}\/install\.post/,
    reason: 'SPEC opens installs to everybody; they are limited by address.',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    place: /^components\.schemas\.(?!\w+Input\b)|^components\.headers/,
    reason: 'A limit protects those who read what others send: answers and their headers are ours.',
  },
  {
    rule: 'owasp:api4:2023-array-limit',
    place: /^components\.schemas\.(?!\w+Input\b)|\.responses\./,
    reason:
      'The same: a list that we send is as long as the page that was asked for, or as what the caller owns.',
  },
];

describe('openapi.json, by the rules of Spectral and of OWASP', () => {
  let errors: ISpectralDiagnostic[];
  beforeAll(async () => {
    const linter = new spectral.Spectral();
    linter.setRuleset({
      extends: [
        [rulesets.oas, 'all'],
        [owasp, 'recommended'],
      ],
    } as RulesetDefinition);
    const text = readFileSync('schema/openapi.json', 'utf8');
    const found = await linter.run(new spectral.Document(text, parsers.Json, 'openapi.json'));
    // 0 is an error; warnings of the OWASP rules are opinions.
    errors = found.filter(({ severity }) => severity === 0);
  });

  const place = ({ path }: ISpectralDiagnostic) => path.join('.');

  it('has no error that is not waived', () => {
    const standing = errors.filter(
      (error) => !waivers.some((waiver) => waiver.rule === error.code && waiver.place.test(place(error))),
    );
    expect([...new Set(standing.map((error) => `${error.code} at ${place(error)}`))]).toEqual([]);
  });

  it.each(waivers)('still needs its waiver of $rule: $reason', ({ rule, place: where }) => {
    expect(errors.some((error) => error.code === rule && where.test(place(error)))).toBe(true);
  });
});
