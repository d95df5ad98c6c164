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

/** All of them; the licences stand in `pieces/LICENCES.md`. */
export const CREDITS: readonly Credit[] = [
  {
    name: 'LXGW WenKai TC',
    by: 'The LXGW WenKai Project Authors',
    licence: 'SIL Open Font License 1.1',
    what: 'characters',
    url: 'https://github.com/lxgw/LxgwWenkaiTC'
  },
  {
    name: 'Fluent Emoji',
    by: 'Microsoft Corporation',
    licence: 'MIT',
    what: 'pictures',
    url: 'https://github.com/microsoft/fluentui-emoji'
  }
];
