import { expect, it } from 'vitest';
import { agentText } from './agent';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604.1',
    'Safari · iPhone'
  ],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 EdgA/140.0', 'Edge · Android'],
  ['qiguan/0.1', 'qiguan/0.1'],
  ['', null],
  [undefined, null]
])('calls %j %j', (agent, text) => {
  expect(agentText(agent)).toBe(text);
});

it('keeps the name of a stranger short', () => {
  expect(agentText('x'.repeat(500))).toHaveLength(60);
});
