import type { Plugin } from 'vite';

/** Leaves out what React Aria says in languages that the console does not speak: it has English and Arabic. */
export function oneLanguage(): Plugin {
  return {
    name: 'one-language',
    load: {
      filter: { id: /\/react-[a-z-]+\/dist\/private\/intl\/[a-z]+\/(?!en-US|ar-AE)[a-z]{2}-[A-Z]{2}\.m?js$/ },
      handler: () => 'export default {};',
    },
  };
}
