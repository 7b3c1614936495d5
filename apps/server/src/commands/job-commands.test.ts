import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { runCommand } from '../command.ts'
import { addJob, runWaitingJobs, task } from '../kernel/jobs/jobs.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

async function masthead(words: string) {
  const [out, err]: string[][] = [[], []]
  const env = { DATABASE_URL: house.databaseUrl, MASTHEAD_SECRET_KEY: testSecretKey }
  const code = await runCommand(words.split(' '), { env, say: (text) => out!.push(text), complain: (text) => err!.push(text) })
  return { code, out: out!.join('\n'), err: err!.join('\n') }
}

test('jobs that were given up are listed with why, tried again and removed; others are left alone', async () => {
  let works = false
  const done: string[] = []
  const job = task('test.fragile', async (_app, { thing_id }: { thing_id: string }) => {
    if (!works) throw new Error('no route to the host\nat somewhere')
    done.push(thing_id)
  })
  const { app } = house
  await app.db.transaction().execute(async (tx) => {
    for (const thing_id of ['one', 'two']) await addJob(tx, job.name, { thing_id, email: 'ada@acme.test' }, { maxAttempts: 1 })
    await addJob(tx, 'test.later', {}, { runAt: new Date(Date.now() + 3_600_000) })
  })
  expect(await masthead('jobs list')).toMatchObject({ code: 0, out: 'There are none.' })
  await runWaitingJobs(app, [job])
  const { out } = await masthead('jobs list')
  const [head, ...rows] = out.split('\n')
  expect(head).toMatch(/^NUMBER +TASK +TRIES +FAILED +ABOUT +WHY$/)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatch(/test\.fragile +1 +\S+ +thing_id=one +.*no route to the host$/)
  expect(out).not.toContain('ada@acme.test')
  const [one, two] = rows.map((row) => row.split(' ')[0]!)

  expect(await masthead('jobs retry')).toMatchObject({ code: 2 })
  expect(await masthead('jobs retry one')).toMatchObject({ code: 2, err: expect.stringContaining('one is no number of a job') })
  expect(await masthead(`jobs retry ${one} --all`)).toMatchObject({ code: 2 })
  expect(await masthead('jobs forget 999999')).toMatchObject({ code: 1, err: expect.stringContaining('0 jobs are removed. 1 of these') })

  works = true
  expect(await masthead(`jobs retry ${one}`)).toMatchObject({ code: 0, out: '1 job is tried again.' })
  await runWaitingJobs(app, [job])
  expect(done).toEqual(['one'])
  expect(await masthead('jobs forget --all')).toMatchObject({ code: 0, out: '1 job is removed.' })
  expect(await masthead('jobs list')).toMatchObject({ out: 'There are none.' })
  await runWaitingJobs(app, [job])
  expect(done).toEqual(['one'])
  // It was never among those given up.
  expect(await masthead(`jobs retry ${two}`)).toMatchObject({ code: 1 })
  const { rows: left } = await app.pool.query(
    `select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'test.later'`
  )
  expect(left).toHaveLength(1)
})
