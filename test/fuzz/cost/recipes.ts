import { documentByGet, envelope, grownDocument, walkedDocument } from './document-recipes.js';
import { address, header } from './http-recipes.js';
import { body, everything, variable } from './input-recipes.js';
import type { Recipe } from './recipe.js';

/** Every way to make a request that grows. */
export const recipes: readonly Recipe[] = [
  grownDocument,
  documentByGet,
  walkedDocument,
  variable,
  body,
  envelope,
  header,
  address,
  everything,
];
