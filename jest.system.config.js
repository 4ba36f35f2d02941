import { system } from './jest.config.js';

export default system;
