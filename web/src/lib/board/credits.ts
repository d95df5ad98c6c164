/** Whose work the pieces are drawn from. */
export interface Credit {
  /** The work. */
  name: string;
  /** Who made it. */
  by: string;
  /** Its licence. */
  licence: string;
  /** What of it is used here. */
  what: 'characters' | 'pictures';
  /** Where it comes from. */
  url: string;
}

/** All of them; the licences stand in `pieces/LICENCES.md` and `scripts/art/LICENCES.md`. */
export const CREDITS: readonly Credit[] = [
  {
    name: 'LXGW WenKai TC',
    by: 'The LXGW WenKai Project Authors',
    licence: 'SIL Open Font License 1.1',
    what: 'characters',
    url: 'https://github.com/lxgw/LxgwWenkaiTC'
  },
  {
    name: 'Yuji Boku',
    by: 'The Yuji Project Authors',
    licence: 'SIL Open Font License 1.1',
    what: 'characters',
    url: 'https://github.com/Kinutafontfactory/Yuji'
  },
  {
    name: 'Noto Serif SC',
    by: 'Adobe',
    licence: 'SIL Open Font License 1.1',
    what: 'characters',
    url: 'https://github.com/notofonts/noto-cjk'
  },
  {
    name: 'Source Serif 4',
    by: 'Adobe',
    licence: 'SIL Open Font License 1.1',
    what: 'characters',
    url: 'https://github.com/adobe-fonts/source-serif'
  },
  {
    name: 'Fluent Emoji',
    by: 'Microsoft Corporation',
    licence: 'MIT',
    what: 'pictures',
    url: 'https://github.com/microsoft/fluentui-emoji'
  }
];
