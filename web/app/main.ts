/** The page's entry: the frame first, then the store. */
import { openWorkspace } from '../../worker/client.ts';
import { keepOffline } from '../offline.ts';
import './shell/shell.ts';
import './styles/app.css';

const app = document.createElement('st-app');
document.body.append(app);
void app.start(openWorkspace().then((workspace) => ({ workspace, panels: undefined })));
keepOffline();
