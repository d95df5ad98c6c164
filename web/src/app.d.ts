// The types that SvelteKit leaves to the application: this one needs none of its own.
declare global {
  namespace App {}
}

export {};
