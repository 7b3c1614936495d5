import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Random } from '@masthead/simulator/random'

/** Gives the assets of an account devices with our agent, which are online, and no broker holds them: what they say is put into the database. */
export async function putDevices(pool: pg.Pool, account_id: string): Promise<void> {
  await pool.query(
    `insert into device (account_id, id, asset_id, kind, username_hash, password_hash, created_at, online, since)
      select account_id, 'dev_' || right(id, 26), id, 'agent', sha256(id::bytea), sha256(id::bytea), now(), true, now() from asset where account_id = $1`,
    [account_id]
  )
  await pool.query('vacuum analyze')
}

/** Writes down each try that begins on a device, from what its device was before. */
export async function watchStarts(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create table bench_start (asset_id text not null, was text not null, revision integer not null);
    create function bench_note_start() returns trigger language plpgsql as $$
    begin
      insert into bench_start values (new.asset_id, old.state, new.revision);
      return null;
    end $$;
    create trigger bench_started after update on rollout_device for each row
      when (new.state = 'started' and (old.state <> 'started' or old.attempts <> new.attempts or old.revision is distinct from new.revision))
      execute function bench_note_start()`)
}

type Begun = { starts: number; started_twice: number; wrong_revisions: number }

/**
 * How often a try began, how often one began while another ran, and on how many devices something else is wanted than what the tries had written:
 * each changes what is wanted once. `before`: how often it had changed until the rollout, by asset.
 */
export async function readStarts(pool: pg.Pool, account_id: string, before: ReadonlyMap<string, number>): Promise<Begun> {
  const { rows } = await pool.query<Begun>(
    `select (select count(*)::int from bench_start) as starts,
      (select count(*)::int from bench_start where was = 'started') as started_twice,
      (select count(*)::int from application a
        left join (select asset_id, count(*)::int as starts from bench_start group by 1) s on s.asset_id = a.asset_id
        left join jsonb_each_text($2::jsonb) b on b.key = a.asset_id
        where a.account_id = $1 and a.revision <> coalesce(s.starts, 0) + coalesce(b.value::int, 0)) as wrong_revisions`,
    [account_id, JSON.stringify(Object.fromEntries(before))]
  )
  return rows[0]!
}

const looksEvery = 500 // ms
const awayEach = 8 // checks
const digest = `sha256:${'ab'.repeat(32)}`

type Given = { pool: pg.Pool; account_id: string; assets: readonly string[]; random: Random }

/** The devices of an account: each does what is wanted of it some time after it is, and says so; some are away for a while. */
export function playDevices({ pool, account_id, assets, random }: Given) {
  let [going, failed] = [true, false]
  /** They cannot run what is wanted of them, and are there all the time: how many fail is known. */
  let broken: ReadonlySet<string> = new Set()
  let away: string[] = []

  async function report() {
    const now = new Date()
    await pool.query(
      `update device d set reported_at = now(), reported = jsonb_build_object('agent', jsonb_build_object(
          'at', $2::text, 'revision', a.revision, 'versions', '{}'::jsonb, 'engine_words', null,
          'containers', coalesce((select jsonb_agg(jsonb_build_object('name', c.name, 'generation', c.generation, 'image', c.image,
            'state', case when d.asset_id = any($4::text[]) then 'exited' else 'running' end, 'digest', $5::text, 'health', null,
            'started_at', $3::text, 'exit_code', null, 'restarts', 0, 'cpu_pct', null, 'memory_bytes', null,
            'problem', case when d.asset_id = any($4::text[])
              then jsonb_build_object('code', 'crash_loop_backoff', 'words', 'it ends at once', 'since', $2::text, 'next_at', null) end))
            from container c where c.account_id = d.account_id and c.asset_id = d.asset_id), '[]'::jsonb)))
        from application a
        where d.account_id = $1 and a.account_id = d.account_id and a.asset_id = d.asset_id and d.online
          and a.revision > coalesce((d.reported -> 'agent' ->> 'revision')::int, 0) and random() < 0.5`,
      [account_id, now.toISOString(), new Date(now.getTime() - 60_000).toISOString(), [...broken], digest]
    )
  }

  const put = (ids: readonly string[], online: boolean) =>
    pool.query('update device set online = $3, since = now() where account_id = $1 and asset_id = any($2::text[])', [
      account_id,
      ids,
      online,
    ])

  async function moveAway() {
    await put(away, true)
    const some = Array.from({ length: Math.ceil(assets.length / 50) }, () => assets[random.whole(0, assets.length - 1)]!)
    away = some.filter((id) => !broken.has(id))
    await put(away, false)
  }

  const playing = (async () => {
    for (let look = 0; going; look++) {
      try {
        await report()
        if (look % awayEach === awayEach - 1) await moveAway()
      } catch (error) {
        // The database is there all the time. What failed is tried again with the next check.
        if (!failed) console.error(`The devices could not say what they run: ${(error as Error).message}`)
        failed = true
      }
      await pause(looksEvery)
    }
    await put(away, true)
  })()
  return {
    breakDown: (ids: readonly string[]) => void (broken = new Set(ids)),
    stop: async () => {
      going = false
      await playing
    },
  }
}
