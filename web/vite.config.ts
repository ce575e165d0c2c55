import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

// `vite dev` stands in front of a service on its usual port; the built client is served by the service itself.
const service = 'http://localhost:8080';

export default defineConfig({
  base: '/app/',
  plugins: [react()],
  // The SDK's source, not what is packed of it.
  resolve: { conditions: ['asterism-source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    target: 'es2022',
    chunkSizeWarningLimit: 900,
  },
  server: {
    proxy: { '/v1': { target: service, ws: true } },
  },
});
