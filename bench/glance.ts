import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { chromium, type Page } from '@playwright/test'
import { openFleet, type Fleet } from '@masthead/testkit/fleet'
import { startProduct } from '@masthead/testkit/product'
import { browserArguments, findBrowser } from '../tools/browser.ts'

// What the overview of BENCH_ASSETS SIMs (20,000) costs: judging an hour of them, the sentence, the strip of 24 hours, the map's counts, the lists
// behind their numbers; and the frames of a browser while the strip is zoomed.

const assets = Number(process.env.BENCH_ASSETS ?? 20_000)
const limits = { verdict_ms: 100, strip_ms: assets > 50_000 ? 5000 : 500, frame_p95_ms: 50 }
const hour = 3_600_000

/** Five SIMs in ten send each hour, the others by day or once a night; one in fifty stopped within the day, one in a thousand is refused. */
async function fillHours({ pool, account_id }: Fleet, ended: Date) {
  await pool.query('delete from sim_sent')
  // In use for long: what was loaded just now was not meant to work before.
  await pool.query(`update sim set state_changed_at = now() - interval '100 days' where account_id = $1 and state = 'active'`, [account_id])
  await pool.query(
    `insert into sim_sent (account_id, sim_id, until, hours, mccmnc)
      select $1, id, $2::timestamptz - interval '1 hour' * (1 + gone), (case own % 10 when 0 then nightly when 1 then daily when 2 then daily else B'1'::bit(720) | hourly end),
        (array['262-01', '260-06', '204-08', '208-01', '240-01', '310-410', '286-01', '222-10'])[1 + own % 8]
      from (select id, abs(hashtextextended(id, 1)) as own, case when abs(hashtextextended(id, 2)) % 50 = 0 then abs(hashtextextended(id, 3)) % 20 else 0 end as gone
          from sim where account_id = $1) s,
        (select repeat('1', 720)::bit(720) as hourly, repeat('000000111111111111000000', 30)::bit(720) as daily,
          repeat('001000000000000000000000', 30)::bit(720) as nightly) b`,
    [account_id, ended]
  )
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  await pool.query('select ensure_connection_partitions($1::date, $2::date)', [day(ended.getTime() - 24 * hour), day(ended.getTime())])
  await pool.query(
    `insert into connection_event (account_id, sim_id, asset_id, hour, kind, key, first_at, last_at, count)
      select account_id, id, asset_id, $2::timestamptz, 'rejected', '', $2::timestamptz, $2::timestamptz + interval '1 minute', 5 from sim
      where account_id = $1 and abs(hashtextextended(id, 4)) % 1000 = 0 on conflict do nothing`,
    [account_id, ended]
  )
  await pool.query('delete from account_judged')
  await pool.query('delete from sim_lapse')
  await pool.query('delete from account_work_hour')
  await pool.query('vacuum analyze')
}

/** Waits until the worker has judged all hours: how long one took, in ms. */
async function judged({ pool, account_id }: Fleet, ended: Date): Promise<number> {
  const begun = performance.now()
  for (;;) {
    const { rows } = await pool.query<{ hours: number }>(
      `select (select count(*)::int from account_work_hour where account_id = $1) as hours from account_judged where account_id = $1 and until >= $2`,
      [account_id, ended]
    )
    if (rows[0]) return Math.round((performance.now() - begun) / rows[0].hours)
    await pause(200)
  }
}

/** Frames while the hours are zoomed in and out, and parts are chosen with the pointer. */
async function zoomFrames(page: Page) {
  const picture = page.getByRole('application', { name: /^The last 24 hours/ })
  await picture.waitFor({ timeout: 60_000 })
  await page.waitForTimeout(1000)
  await page.evaluate(`(() => {
    window.frameTimes = []
    const note = (now) => (frameTimes.push(now), requestAnimationFrame(note))
    requestAnimationFrame(note)
  })()`)
  const box = (await picture.boundingBox())!
  for (let round = 0; round < 8; round++) {
    await picture.focus()
    for (const key of ['+', '+', '-', '-', 'ArrowDown', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key)
    await page.mouse.move(box.x + box.width * 0.3, box.y + 20 * round)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.9, box.y + 20 * round + 60, { steps: 12 })
    await page.mouse.up()
    await page.mouse.move(box.x + 30, box.y + 200, { steps: 12 })
    await picture.focus()
    await page.keyboard.press('Escape')
  }
  const times = await page.evaluate<number[]>('frameTimes')
  const frames = times
    .slice(1)
    .map((time, at) => time - times[at]!)
    .toSorted((a, b) => a - b)
  const part = (share: number) => Math.round(frames[Math.min(frames.length - 1, Math.floor(frames.length * share))]! * 10) / 10
  return { frames: frames.length, p50_ms: part(0.5), p95_ms: part(0.95), most_ms: part(1) }
}

const fleet = await openFleet(assets)
try {
  const ended = new Date(Math.floor(Date.now() / hour) * hour)
  await fillHours(fleet, ended)
  const product = await startProduct({
    DATABASE_URL: fleet.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_ROLES: 'api,worker',
    MASTHEAD_LOG_LEVEL: 'silent',
  })
  try {
    const judged_hour_ms = await judged(fleet, ended)
    const cookie = await fleet.newCookie(['overview.view', 'assets.view'])
    const ask = async (path: string) => {
      const begun = performance.now()
      const reply = await fetch(`${product.url}/v1${path}`, { headers: { cookie } })
      if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`)
      const text = await reply.text()
      return { ms: performance.now() - begun, text }
    }
    await ask('/auth/user_info')
    const calls: Record<string, { first_ms: number; p50_ms: number; most_ms: number; kb_gzip: number }> = {}
    for (const path of [
      '/overview/verdict',
      '/overview/strip',
      '/overview/places',
      '/assets?attention=quiet',
      '/assets?attention=refused',
    ]) {
      const first = await ask(path)
      const again: number[] = []
      for (let i = 0; i < 15; i++) again.push((await ask(path)).ms)
      again.sort((a, b) => a - b)
      calls[path] = {
        first_ms: Math.round(first.ms),
        p50_ms: Math.round(again[7]!),
        most_ms: Math.round(again.at(-1)!),
        kb_gzip: Math.round(gzipSync(first.text).length / 102.4) / 10,
      }
    }
    const { should, works, silent, refused } = JSON.parse((await ask('/overview/verdict')).text) as Record<string, number>
    const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments })
    let frames
    try {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
      const [name, value] = cookie.split(/=(.*)/s) as [string, string]
      await context.addCookies([{ name, value: value.split(';')[0]!, url: product.url }])
      const page = await context.newPage()
      await page.goto(`${product.url}/#/`)
      frames = await zoomFrames(page)
    } finally {
      await browser.close()
    }
    console.log(JSON.stringify({ figure: 'glance', assets, should, works, silent, refused, judged_hour_ms, calls, frames, limits }))
  } finally {
    await product.stop()
  }
} finally {
  await fleet.stop()
}
