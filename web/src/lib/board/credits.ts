/** Whose work the pieces are drawn from. */
export interface Credit {
  /** The work. */
  name: string;
  /** Who made it. */
  by: string;
  /** Its licence. */
  licence: string;
  /** What of it is used here. */
  what: 'characters' | 'letters';
  /** Where it comes from. */
  url: string;
}

const OFL = 'SIL Open Font License 1.1';

/** All of them; the licences stand in `art/pieces/LICENCES.md` and `scripts/art/LICENCES.md`. */
export const CREDITS: readonly Credit[] = [
  {
    name: 'LXGW WenKai TC',
    by: 'The LXGW WenKai Project Authors',
    licence: OFL,
    what: 'characters',
    url: 'https://github.com/lxgw/LxgwWenkaiTC'
  },
  {
    name: 'Yuji Boku',
    by: 'The Yuji Project Authors',
    licence: OFL,
    what: 'characters',
    url: 'https://github.com/Kinutafontfactory/Yuji'
  },
  {
    name: 'Ma Shan Zheng',
    by: 'The Ma Shan Zheng Project Authors',
    licence: OFL,
    what: 'characters',
    url: 'https://github.com/googlefonts/mashanzheng'
  },
  {
    name: 'Noto Serif SC, Noto Serif TC',
    by: 'Adobe',
    licence: OFL,
    what: 'characters',
    url: 'https://github.com/notofonts/noto-cjk'
  },
  {
    name: 'Source Serif 4',
    by: 'Adobe',
    licence: OFL,
    what: 'characters',
    url: 'https://github.com/adobe-fonts/source-serif'
  },
  {
    name: 'Barlow Condensed',
    by: 'The Barlow Project Authors',
    licence: OFL,
    what: 'letters',
    url: 'https://github.com/jpt/barlow'
  }
];
