import { connectionOf } from '../../operations/connection.types.js';
import { AppVersion } from '../listings/app-version.entity.js';

export const AppVersionConnection = connectionOf('AppVersion', () => AppVersion);
