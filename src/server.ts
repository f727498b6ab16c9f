import { importQuickly } from './quick-loading.ts';

const { serve } = await importQuickly(() => import('./serve.ts'));
await serve();
