import type { Acts, Scene } from './acts.js';
import { opinion, storedOpinion } from './expected-lines.js';
import { subjectsOf } from './subjects.js';

/** Acts of account holders, who need not be developers. */
export function accountActs(scene: Scene): Acts {
  const { service, ada } = scene;
  const { theirs, rated } = subjectsOf(scene);
  return {
    rateApp: {
      on: async () => ({ slug: (await theirs()).slug, ...opinion }),
      line: { kind: 'rating.created', before: null, after: storedOpinion },
      refused: async () => ({ slug: (await service.anApp(ada, 'APPROVED')).slug, ...opinion }),
    },
    reportRating: {
      on: async () => ({ id: (await rated()).id, reason: 'It is an advertisement.' }),
      line: { kind: 'rating.reported', before: null, after: { reason: 'It is an advertisement.' } },
      refused: async () => ({ id: (await rated()).id, reason: '' }),
    },
    reportApp: {
      on: async () => ({ slug: (await theirs()).slug, reason: 'SPAM', text: 'It is an advertisement.' }),
      line: {
        kind: 'app.reported',
        before: null,
        after: { reason: 'SPAM', text: 'It is an advertisement.' },
      },
      refused: async () => ({ slug: (await theirs()).slug, reason: 'OTHER' }),
    },
    removeRating: {
      on: async () => {
        const { slug } = await theirs();
        await service.client.must('rateApp', { slug, ...opinion }, ada.token);
        return { slug };
      },
      line: { kind: 'rating.removed', before: storedOpinion, after: null },
      refused: async () => ({ slug: (await theirs()).slug }),
    },
  };
}
