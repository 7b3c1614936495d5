import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { loadConfig } from '../config.ts'
import { queueMail } from './mail.ts'

/** A mail server that answers as it is asked to and keeps what it took. */
async function mailServer(answer: (times: number) => { code: number; words: string } | null = () => null) {
  const taken: { to: string; raw: string }[] = []
  let times = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) => {
      const refusal = answer(++times)
      done(refusal && Object.assign(new Error(refusal.words), { responseCode: refusal.code }))
    },
    onData: (stream, session, done) => {
      let raw = ''
      stream.on('data', (chunk: Buffer) => (raw += chunk.toString()))
      stream.on('end', () => {
        taken.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), raw })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

type House = Awaited<ReturnType<typeof openHouse>>
const letter = { to: 'ada@example.test', subject: 'Hello', text: 'Look: {console}/profile' }
const queue = (house: House, mail = letter) => house.db.transaction().execute((tx) => queueMail(tx, mail, house.clock.now()))
const from = (smtpUrl: string) => ({
  config: { smtpUrl, mailFrom: 'Masthead <no-reply@console.example.test>', publicUrl: 'https://console.example.test/' },
})

test('without a mail server mail stays in the outbox, with its links', async () => {
  await using house = await openHouse({ config: { publicUrl: 'https://console.example.test/' } })
  await queue(house)
  await house.settle()
  expect(await house.mails(letter.to)).toEqual([
    { to: letter.to, subject: 'Hello', text: 'Look: https://console.example.test/#/profile', sent_at: null },
  ])
  expect(await house.mails('bob@example.test')).toEqual([])
})

test('a mail leaves once, whatever asks again, and its text is forgotten', async () => {
  await using server = await mailServer()
  await using house = await openHouse(from(server.url))
  await queue(house)
  await house.settle()
  const { id } = await house.db.selectFrom('mail').select('id').executeTakeFirstOrThrow()
  await house.app.pool.query(`select graphile_worker.add_job('mail.deliver', json_build_object('id', $1::text))`, [id])
  await house.settle()
  expect(server.taken).toHaveLength(1)
  expect(server.taken[0]!.to).toBe('ada@example.test')
  expect(server.taken[0]!.raw).toContain('From: Masthead <no-reply@console.example.test>')
  expect(server.taken[0]!.raw).toContain('Look: https://console.example.test/#/profile')
  expect(server.taken[0]!.raw).toContain(`Message-ID: <${id}@console.example.test>`)
  expect(await house.mails(letter.to)).toMatchObject([{ text: '', sent_at: house.clock.now() }])
})

test('a mail server that is away or busy is asked again', async () => {
  await using server = await mailServer((times) => (times === 1 ? { code: 451, words: 'Try again later' } : null))
  await using house = await openHouse(from(server.url))
  await queue(house)
  await house.settle()
  expect(server.taken).toHaveLength(0)
  expect(await house.mails(letter.to)).toMatchObject([{ sent_at: null }])
  await house.app.pool.query(`update graphile_worker._private_jobs set run_at = now() - interval '1 second'`)
  await house.settle()
  expect(server.taken).toHaveLength(1)
})

test('a recipient that is refused for good is not tried again, and the words are kept', async () => {
  await using server = await mailServer(() => ({ code: 550, words: 'No such person' }))
  await using house = await openHouse(from(server.url))
  await queue(house)
  await house.settle()
  const row = await house.db.selectFrom('mail').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ sent_at: null, text: '', refused_at: house.clock.now() })
  expect(row.refused_words).toContain('No such person')
  const { rows } = await house.app.pool.query(`select 1 from graphile_worker._private_jobs`)
  expect(rows).toEqual([])
})

test('the table holds no link that anybody could read, and what the release before wrote is still sent', async () => {
  await using server = await mailServer()
  await using house = await openHouse(from(server.url))
  await queue(house, { ...letter, text: 'Set it here: {console}/reset?token=canary' })
  const { id, text } = await house.db.selectFrom('mail').select(['id', 'text']).executeTakeFirstOrThrow()
  expect(text).toMatch(/^mk1\./)
  const { rows: jobs } = await house.app.pool.query<{ all: string }>(
    "select string_agg(p::text, '') as all from graphile_worker._private_jobs p"
  )
  expect(text + jobs[0]!.all).not.toContain('canary')
  expect((await house.mails(letter.to))[0]!.text).toContain('/#/reset?token=canary')
  const older = { id: `${id}0`, to_email: letter.to, subject: 'Older', text: 'Look: {console}/older', created_at: house.clock.now() }
  await house.db.insertInto('mail').values(older).execute()
  await house.app.pool.query(`select graphile_worker.add_job('mail.send', json_build_object('id', $1::text))`, [older.id])
  await house.settle()
  expect(server.taken.map(({ raw }) => /Look: \S+|token=\S+/.exec(raw)?.[0]).toSorted()).toEqual([
    'Look: https://console.example.test/#/older',
    expect.stringContaining('token=') as string,
  ])
})

test('a transaction that fails sends nothing, and a subject has one line', async () => {
  await using house = await openHouse()
  const failed = house.db.transaction().execute(async (tx) => {
    await queueMail(tx, letter, house.clock.now())
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(await house.mails(letter.to)).toEqual([])
  await queue(house, { ...letter, subject: 'A\r\nBcc: everybody@example.test' })
  expect((await house.mails(letter.to))[0]!.subject).toBe('A Bcc: everybody@example.test')
})

test('mail is forgotten after a month', async () => {
  await using house = await openHouse()
  await queue(house)
  house.clock.advance({ days: 31 })
  await queue(house, { ...letter, subject: 'Later' })
  await house.app.pool.query(`select graphile_worker.add_job('mail.forget')`)
  await house.settle()
  expect((await house.mails(letter.to)).map(({ subject }) => subject)).toEqual(['Later'])
})

test('the settings of mail', () => {
  expect(loadConfig({})).toMatchObject({ smtpUrl: undefined, mailFrom: 'Masthead <no-reply@localhost>' })
  expect(loadConfig({ MASTHEAD_PUBLIC_URL: 'https://iot.example.com' }).mailFrom).toBe('Masthead <no-reply@iot.example.com>')
  expect(() => loadConfig({ SMTP_URL: 'http://mail', MASTHEAD_MAIL_FROM: 'nobody' })).toThrow(/SMTP_URL.*\n.*MASTHEAD_MAIL_FROM/)
})
