import { connectionOf } from '../../operations/connection.types.js';
import { Developer } from './developer.entity.js';

export const DeveloperConnection = connectionOf('Developer', () => Developer);
