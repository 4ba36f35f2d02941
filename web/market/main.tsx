import { start } from '../components/start.tsx';
import { Area } from './area.tsx';

void start(Area);
