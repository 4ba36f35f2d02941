import { z } from 'zod';
import { id } from '../../input.js';

export const ListingId = z.object({ id: id('app or version') });
