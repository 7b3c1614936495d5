import { expect, test } from 'vitest'
import { wifiNote, wifiRows } from './wifi-words.ts'

test('a network that is wanted and not reported is not said to be there, and what cannot be set says why', () => {
  const seen = { signal_pct: 70, in_use: false, own: false }
  const rows = wifiRows({
    wanted: {
      wifi: [
        { ssid: 'yard', security: 'wpa2', hidden: false },
        { ssid: 'away', security: 'wpa3', hidden: false },
      ],
    } as never,
    reported: {
      wifi: {
        scanned_at: null,
        networks: [
          { ssid: 'yard', security: 'wpa2', ...seen },
          { ssid: 'eduroam', security: 'enterprise', ...seen },
        ],
      },
    } as never,
  })
  expect(rows.map((row) => `${row.ssid}: ${wifiNote(row)}`)).toEqual([
    'yard: WPA2, signal 70 %, set from here',
    'eduroam: Enterprise sign-in, signal 70 %',
    'away: WPA3, not reported in reach, set from here',
  ])
  expect(rows.map(({ refused }) => refused !== null)).toEqual([false, true, false])
})
