import { z } from 'zod';
import { id } from '../../operations/input.js';

export const ListingId = z.object({ id: id('app or version') });
