import { chromium, type CDPSession, type Page } from '@playwright/test'
import startGallery from '../tools/e2e-gallery.ts'
import { browserArguments, findBrowser } from '../tools/browser.ts'

// How evenly the table of very many rows scrolls: the time between frames while its 100,000 rows go by, under the wheel and as when its
// scrollbar is dragged from end to end, beside an empty page as high that is scrolled the same way in the same run. Each is done in turn
// several times and the middle one counts: a machine that does something else for a moment loses frames of an empty page too.

const rows = 100_000
const rowHeight = 36
const seconds = 4
const rounds = 3
const limits = { p95_ms: 20, most_ms: 50 }

/** Scrolls by the wheel: as the browser does, several screens a second. */
async function wheel(page: Page, cdp: CDPSession) {
  const { width, height } = page.viewportSize()!
  await cdp.send('Input.synthesizeScrollGesture', {
    x: width / 2,
    y: height / 2,
    yDistance: -4000 * seconds,
    speed: 4000,
    gestureSourceType: 'mouse',
  })
}

/** Moves on by as much each frame as takes it from one end to the other: no row of a frame is in the next. */
const drag = (page: Page) =>
  page.evaluate(
    async ({ seconds: time, selector }) => {
      const scroller = document.querySelector(selector) ?? document.scrollingElement!
      const far = scroller.scrollHeight - scroller.clientHeight
      const begun = performance.now()
      for (let gone = 0; gone < 1;) {
        const now = await new Promise(requestAnimationFrame)
        gone = Math.min(1, Math.max(0, (now - begun) / (time * 1000)))
        scroller.scrollTop = gone * far
      }
    },
    { seconds, selector: '[role=grid]' }
  )

/** The times between the frames of a while, in milliseconds. */
async function framesOf(page: Page, scroll: () => Promise<unknown>) {
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(window, { frames })
    const note = (now: number) => {
      frames.push(now)
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
  await scroll()
  const times = await page.evaluate(() => (window as unknown as { frames: number[] }).frames)
  return times.slice(1).map((time, at) => time - times[at]!)
}

const rounded = (value: number) => Math.round(value * 10) / 10
function summary(frames: number[]) {
  const sorted = frames.toSorted((a, b) => a - b)
  const part = (share: number) => rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN)
  return {
    frames: frames.length,
    p50_ms: part(0.5),
    p95_ms: part(0.95),
    most_ms: part(1),
    over_50_ms: frames.filter((one) => one > 50).length,
  }
}

type Measured = { wheel: ReturnType<typeof summary>; drag: ReturnType<typeof summary> }

/** Of each figure the middle one. */
function middle(all: readonly Measured[]): Measured {
  const of = (way: keyof Measured) => {
    const figure = (name: keyof Measured['wheel']) => all.map((one) => one[way][name]).sort((a, b) => a - b)[Math.floor(all.length / 2)]!
    return {
      frames: figure('frames'),
      p50_ms: figure('p50_ms'),
      p95_ms: figure('p95_ms'),
      most_ms: figure('most_ms'),
      over_50_ms: figure('over_50_ms'),
    }
  }
  return { wheel: of('wheel'), drag: of('drag') }
}

const stop = await startGallery()
const executablePath = findBrowser()
const browser = await chromium.launch({ args: browserArguments, ...(executablePath && { executablePath }) })
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const cdp = await page.context().newCDPSession(page)
  const measure = async (prepare: () => Promise<unknown>) => {
    await prepare()
    await wheel(page, cdp) // the first warms up
    await prepare()
    const byWheel = summary(await framesOf(page, () => wheel(page, cdp)))
    await prepare()
    return { wheel: byWheel, drag: summary(await framesOf(page, () => drag(page))) }
  }
  const url = process.env.MASTHEAD_E2E_GALLERY_URL!
  const prepareTable = async () => {
    await page.goto('about:blank')
    await page.goto(`${url}/gallery.html#/windowed`)
    const grid = page.getByRole('grid', { name: 'All assets' })
    await grid.getByRole('row').nth(10).waitFor()
    // In the middle, where the wheel is.
    await grid.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  }
  const references: Measured[] = []
  const tables: Measured[] = []
  for (let round = 0; round < rounds; round++) {
    references.push(await measure(() => page.setContent(`<div style="height: ${rows * rowHeight}px"></div>`)))
    tables.push(await measure(prepareTable))
  }
  const table = middle(tables)
  const ratio = Math.max(table.wheel.p95_ms, table.drag.p95_ms) / limits.p95_ms
  const reached = [table.wheel, table.drag].every((one) => one.p95_ms < limits.p95_ms && one.most_ms <= limits.most_ms)
  console.log(
    JSON.stringify({ figure: 'windowed-table', rows, rounds, reference: middle(references), table, limits, ratio, reached, all: tables })
  )
} finally {
  await browser.close()
  await stop()
}
