import { runTogether } from '../../support/suite.js';

runTogether(import.meta.dirname);
