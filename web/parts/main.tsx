import { render } from 'preact';
import '../components/style.css';
import '../components/parts.css';
import './parts.css';
import { Parts } from './parts.tsx';

render(<Parts />, document.getElementById('root')!);
