import { describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { copiesOf } from '../../support/copies.js';
import { Live } from '../../support/live.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const query = `subscription ($slug: String) {
  catalogChanged(slug: $slug) { slug app { name featured averageRating developer { name } } }
}`;
const follow = (slug?: string) => Live.to(service.url, { query, variables: { slug } });
const event = (slug: string | null, app: object | null) => ({ data: { catalogChanged: { slug, app } } });
const reason = 'It must be.';

describe('catalogChanged', () => {
  it('reports an approval, an edit, a rating and a suspension of an app to everyone (D142)', async () => {
    const { id, slug } = await service.anApp(ada, 'PENDING');
    // The app need not be public yet.
    const [one, all] = [await follow(slug), await follow()];
    const expectBoth = async (app: object | null) => {
      for (const live of [one, all]) await live.expectNext(event(slug, app));
    };
    await service.administer('approveApp', { id, revision: 1 });
    await expectBoth({ averageRating: 0 });
    await service.administer('editApp', { id, name: 'Better', reason });
    await expectBoth({ name: 'Better' });
    await service.aRating({ slug }, { rating: 4 });
    await expectBoth({ averageRating: 4 });
    await service.administer('suspendApp', { id, reason });
    await expectBoth(null);
    one.close();
    all.close();
  });

  it('reports the other name of a developer, and their suspension, for each of their apps', async () => {
    const eve = await service.aDeveloper();
    const { slug } = await service.anApp(eve, 'APPROVED');
    const live = await follow(slug);
    await service.client.must('updateMe', { name: 'Countess' }, eve.token);
    await live.expectNext(event(slug, { developer: { name: 'Countess' } }));
    await service.administer('suspendDeveloper', { id: eve.id, reason });
    await live.expectNext(event(slug, null));
    await service.administer('reinstateDeveloper', { id: eve.id });
    await live.expectNext(event(slug, { developer: { name: 'Countess' } }));
    live.close();
  });

  it('reports one event without a slug if a developer has very many apps', async () => {
    const eve = await service.aDeveloper();
    const { id } = await service.anApp(eve, 'APPROVED');
    await copiesOf(service, id, 100, { slug: `'${unique('many')}' || n` });
    const live = await follow();
    await service.client.must('updateMe', { name: unique('Countess') }, eve.token);
    await live.expectNext(event(null, null));
    live.close();
    await service.administer('suspendDeveloper', { id: eve.id, reason });
  });

  it('reports nothing about drafts, installs and other apps', async () => {
    const draft = await service.anApp(ada);
    const [one, other] = [await service.anApp(ada, 'APPROVED'), await service.anApp(ada, 'APPROVED')];
    const [live, all] = [await follow(one.slug), await follow()];
    await service.client.must('updateApp', { id: draft.id, name: 'Secret' }, ada.key);
    await service.administer('featureApp', { id: other.id, featured: true });
    await service.client.must('recordInstall', { slug: one.slug });
    await all.expectNext(event(other.slug, { featured: true }));
    await service.administer('featureApp', { id: one.id, featured: true });
    for (const stream of [live, all]) await stream.expectNext(event(one.slug, { featured: true }));
    expect(JSON.stringify(live.results)).not.toContain(other.slug);
    expect(JSON.stringify(all.results)).not.toContain(draft.slug);
    live.close();
    all.close();
  });
});
