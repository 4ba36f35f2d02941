import { Random } from './random.js';
import { type Kit, maxPath, type Recipe, type Rendered } from './recipe.js';
import { recipes } from './recipes.js';

/** A request as data, so that it can be repeated, grown and written down. */
export interface Candidate {
  recipe: string;
  /** Which of the recipe's variants. */
  choice: number;
  size: number;
  /** Settles whatever the recipe leaves to chance. */
  seed: number;
  /** A piece of the body that is repeated in place, in thousandths of its length; null: none. */
  splice: { at: number; length: number; times: number } | null;
}

/** The largest body that is accepted. */
const maxBytes = 256 * 1024;
export const maxSize = 250_000;

const recipeOf = ({ recipe }: Candidate): Recipe => recipes.find(({ name }) => name === recipe)!;

/** Candidates of one family differ by their size and by chance alone. */
export const familyOf = ({ recipe, choice, splice }: Candidate) =>
  `${recipe} ${choice}${splice ? ' spliced' : ''}`;

/** Returns the request, cut down until its body and its address are accepted. A salt makes other bytes of the same shape. */
export function render(candidate: Candidate, kit: Kit, salt: number): Rendered {
  const recipe = recipeOf(candidate);
  for (let size = candidate.size; ; size = Math.floor(size * 0.8)) {
    const rendered = recipe.render(kit, candidate.choice, size, new Random(candidate.seed));
    const salted = withSalt(spliced(rendered, candidate.splice), salt);
    const about = `${recipe.name}: ${rendered.about} (size ${size}${candidate.splice ? ', spliced' : ''})`;
    if (size <= 1 || fits(salted)) return { ...salted, about };
  }
}

const fits = ({ body, path }: Rendered) =>
  Buffer.byteLength(body ?? '') <= maxBytes && path.length <= maxPath;

function spliced(rendered: Rendered, splice: Candidate['splice']): Rendered {
  const { body } = rendered;
  if (!splice || !body) return rendered;
  const start = Math.floor((body.length * splice.at) / 1_000);
  const end = Math.min(body.length, start + Math.max(1, Math.floor((body.length * splice.length) / 1_000)));
  const times = Math.min(splice.times, Math.floor(maxBytes / (end - start)));
  return { ...rendered, body: body.slice(0, start) + body.slice(start, end).repeat(times) + body.slice(end) };
}

/** Makes the bytes new to every cache: a comment in a document, an unknown parameter in a path. */
function withSalt(rendered: Rendered, salt: number): Rendered {
  const { body, path, method } = rendered;
  if (body) return { ...rendered, body: body.replace('"query":"', `"query":"#${salt}\\n`) };
  if (method !== 'GET' || path.startsWith('/graphql')) return rendered;
  return { ...rendered, path: `${path}${path.includes('?') ? '&' : '?'}salt=${salt}` };
}

/** Returns any candidate. */
export function anyCandidate(random: Random): Candidate {
  const recipe = random.pick(recipes);
  return {
    recipe: recipe.name,
    choice: random.below(recipe.variants),
    size: random.chance(0.3) ? maxSize : random.size(20, maxSize),
    seed: random.below(2 ** 31),
    splice: null,
  };
}

/** Returns a candidate much like another: mostly a larger one. */
export function mutated(candidate: Candidate, random: Random): Candidate {
  const { size, choice } = candidate;
  const resized = (factor: number) => ({
    ...candidate,
    size: Math.max(1, Math.min(maxSize, Math.round(size * factor))),
  });
  switch (random.below(6)) {
    case 0:
      return resized(1.3);
    case 1:
      return resized(3);
    case 2:
      return resized(random.pick([0.5, 0.8, 0.95]));
    case 3:
      return { ...candidate, seed: random.below(2 ** 31) };
    case 4:
      return { ...candidate, choice: (choice + 1) % recipeOf(candidate).variants };
    default:
      return {
        ...candidate,
        splice: { at: random.below(1_000), length: random.size(1, 300), times: random.size(2, 20_000) },
      };
  }
}
