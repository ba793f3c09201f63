import type { router } from './router.tsx';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
