import { connectionOf } from '../../db/connection.types.js';
import { Rating } from './rating.entity.js';

export const RatingConnection = connectionOf('Rating', () => Rating);
