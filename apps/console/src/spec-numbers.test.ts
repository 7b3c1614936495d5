/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { latestActivityCount } from '@masthead/contract/overview/operations'
import { pageSize } from '@masthead/contract/kernel/page'
import { formatActivityTime } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { screens } from './screens.ts'
import { tokenExpiry, tokenValid } from './shell/guard.ts'
import { loadScreen } from './shell/load-screen.ts'
import { buttonColors, buttonSizes } from './ui/Button.tsx'
import { yearsAround } from './ui/calendar.ts'
import { copyText } from './ui/copy.ts'
import { mapFlight, mapStart } from './ui/map-view.ts'
import { modalBackdrops, modalPositions } from './ui/Modal.tsx'
import { hoverDelay } from './ui/OptionList.tsx'
import { progressSizes } from './ui/ProgressBar.tsx'
import { cappedLabels } from './ui/Select.tsx'
import { sliderRange } from './ui/Slider.tsx'
import { showingWords } from './ui/TableFoot.tsx'
import { dismissToast, toast, toasts } from './ui/toast.ts'

// Specification §9, line by line: what it says, what the code says, and which browser test sees it. Amounts of credits, prices and limits of
// pools are not in it.

const browserTests = import.meta.glob<string>('../../../e2e/*.e2e.ts', { query: '?raw', import: 'default', eager: true })
const browser = (file: string, title: string) => ({ file, title })
const styleOf = (file: string, name: string) =>
  new RegExp(`--${name}:\\s*([^;]+);`).exec(readFileSync(join(import.meta.dirname, file), 'utf8'))?.[1]

const numbers: { line: string; says: unknown; code: () => unknown; seen?: ReturnType<typeof browser> }[] = [
  {
    line: 'Toast default timeout, ms',
    says: 5000,
    code: () => {
      toast.info('How long?')
      return toasts.read().at(-1)?.timeout
    },
    seen: browser('gallery-toasts', 'spec §9: a toast stays 5000 ms'),
  },
  {
    line: 'Timeout of the clipboard toast, ms',
    says: ['Copied to clipboard', { title: 'Success', timeout: 2000 }],
    code: async () => {
      vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.resolve() } })
      const success = vi.fn<typeof toast.success>()
      await copyText('text', { success, error: vi.fn<typeof toast.error>() })
      return success.mock.lastCall
    },
    seen: browser(
      'gallery-buttons',
      'spec §8, §9: copying says "Copied to clipboard", title Success, for 2000 ms, when there is a handler'
    ),
  },
  {
    line: 'Chunk load timeout, ms',
    says: 120_000,
    code: async () => {
      vi.useFakeTimers()
      const begun = Date.now()
      const late = loadScreen(() => new Promise(() => {})).catch(() => Date.now() - begun)
      await vi.runAllTimersAsync()
      return late
    },
  },
  {
    line: 'Backoffice token: valid while the time is below its exp, in seconds',
    says: [1000, true, false],
    code: () => {
      const token = `x.${btoa(JSON.stringify({ exp: 1000 }))}.x`
      return [tokenExpiry(token), tokenValid(token, 999), tokenValid(token, 1000)]
    },
  },
  { line: 'Byte units are decimal', says: ['999 B', '1 KB', '1 MB'], code: () => [999, 1000, 1_000_000].map(formatBytes) },
  {
    line: 'Primary color',
    says: '#4ae387',
    code: () => styleOf('tokens.css', /var\(--([\w-]+)\)/.exec(styleOf('tokens.css', 'accent') ?? '')?.[1] ?? ''),
    seen: browser('gallery-buttons', 'spec §9: the primary colour is #4ae387'),
  },
  {
    line: 'The sidebar starts open',
    says: true,
    code: async () => {
      vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }))
      return (await import('./shell/shell-state.ts')).useShell.getState().sidebarOpen
    },
  },
  {
    line: 'Table page size',
    says: 10,
    code: () => pageSize,
    seen: browser('gallery-tables', 'spec §9: ten rows a page, "Showing x-y of total"'),
  },
  { line: 'The footer of a table', says: 'Showing 11-20 of 47', code: () => showingWords(11, 10, 47, false) },
  { line: 'Latest activity, at most', says: 4, code: () => latestActivityCount },
  {
    line: 'Dates like "Mon DD, h:mm AM/PM"',
    says: ['Nov 05, 2:31 PM', 'Nov 21, 12:05 AM'],
    code: () => [new Date(2026, 10, 5, 14, 31), new Date(2026, 10, 21, 0, 5)].map((time) => formatActivityTime(time.toISOString())),
  },
  {
    line: 'The navbar collapses below',
    says: '956px',
    code: () => styleOf('styles.css', 'breakpoint-nav'),
    seen: browser('shell', 'below 956 px the navbar folds into a menu'),
  },
  { line: 'The sidebar is full-width below', says: '768px', code: () => styleOf('styles.css', 'breakpoint-side') },
  {
    line: 'Select hover label delay, ms',
    says: 500,
    code: () => hoverDelay,
    seen: browser('gallery-choices', 'spec §9: a hover says the whole label after 500 ms'),
  },
  {
    line: 'A multi-select caps what it shows',
    says: 'a, b ... and 2 more',
    code: () => cappedLabels(['a', 'b', 'c', 'd'], 2),
    seen: browser('gallery-choices', 'spec §9: a multi-select names some and says "... and N more"'),
  },
  {
    line: 'Slider default range',
    says: { min: 0, max: 100 },
    code: () => sliderRange,
    seen: browser('gallery-choices', 'spec §9: a slider goes from 0 to 100, by keys and by pointer'),
  },
  {
    line: 'Year list range, -20 to +50',
    says: [2006, 2076, 71],
    code: () => [yearsAround('2026-11-21').at(0), yearsAround('2026-11-21').at(-1), yearsAround('2026-11-21').length],
    seen: browser('gallery-fields', 'spec §5, §9: offers -20 to +50 years, weeks from Sunday'),
  },
  {
    line: 'Map default view',
    says: { center: [25, 0], zoom: 2 },
    code: () => mapStart,
    seen: browser('gallery-map', 'spec §9: a map opens at [25, 0], zoom 2'),
  },
  {
    line: 'Fly-to zoom and seconds',
    says: { zoom: 14, seconds: 5 },
    code: () => mapFlight,
    seen: browser('gallery-map', 'spec §9: it flies to a marker at zoom 14 in 5 seconds'),
  },
  {
    line: 'Button sizes',
    says: ['small', 'medium', 'large'],
    code: () => buttonSizes,
    seen: browser('gallery-buttons', 'spec §9: three sizes and seven colours'),
  },
  {
    line: 'Button colors',
    says: ['primary', 'primary-solid', 'secondary', 'success', 'danger', 'billing-blue', 'billing-green'],
    code: () => buttonColors,
    seen: browser('gallery-buttons', 'spec §9: three sizes and seven colours'),
  },
  {
    line: 'Modal backdrops',
    says: ['blurred', 'opaque', 'transparent'],
    code: () => modalBackdrops,
    seen: browser('gallery-overlays', 'spec §9: blurred, opaque, transparent'),
  },
  {
    line: 'Modal positions',
    says: ['center', 'top-center', 'bottom-center'],
    code: () => modalPositions,
    seen: browser('gallery-overlays', 'spec §9: center, top-center, bottom-center'),
  },
  {
    line: 'Progress bar sizes, px',
    says: [6, 10, 15],
    code: () => progressSizes,
    seen: browser('gallery-navigation', 'spec §9: progress bars are 6, 10 and 15 px'),
  },
  {
    line: 'The default banner welcomes to the product',
    says: ['Hello', expect.stringMatching(/^Welcome to Masthead/)],
    code: () => screens.filter(({ path }) => path === '/').flatMap(({ title, subtitle }) => [title, subtitle]),
  },
]

afterEach(() => {
  for (const one of toasts.read()) dismissToast(one.id)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('specification §9', () => {
  test.each(numbers)('$line', async ({ says, code, seen }) => {
    expect(await code()).toEqual(says)
    if (seen) expect(browserTests[`../../../e2e/${seen.file}.e2e.ts`] ?? '').toContain(`test('${seen.title}'`)
  })
})
