import { mostProfiles, type EsimProfile } from '@masthead/contract/devices/network/reported'
import type { ProfileStep } from '@masthead/contract/devices/network/plan'
import type { EsimJob } from '@masthead/contract/devices/network/settings'
import { ProgramTrouble, runProgram, timeLeft } from './run-program.ts'

type Said = { type?: string; payload?: { code?: number; message?: string; data?: unknown } }
type Listed = {
  iccid?: string
  isdpAid?: string
  profileState?: string
  profileNickname?: string | null
  profileName?: string | null
  serviceProviderName?: string | null
}

/** What a download does, in its order. */
const downloadSteps = [
  'es10b_get_euicc_challenge_and_info',
  'es9p_initiate_authentication',
  'es10b_authenticate_server',
  'es9p_authenticate_client',
  'es10b_prepare_download',
  'es9p_get_bound_profile_package',
  'es10b_load_bound_profile_package',
]
const downloadWaits = 300_000 // ms
const cut = (text: string | null | undefined, most = 80) => text?.slice(0, most) || null

const readSaid = (line: string): Said | undefined => {
  try {
    return JSON.parse(line) as Said
  } catch {
    return undefined
  }
}

/** Runs lpac, which says each of its steps and the end of it in a line. Fails with its words; it may end with 1 and say them as well. */
async function lpac<Data>(args: readonly string[], waits = 30_000, onStep: (step: string) => void = () => {}): Promise<Data> {
  let end: Said['payload']
  const hear = (line: string) => {
    const said = readSaid(line)
    if (said?.type === 'progress' && said.payload?.message) onStep(said.payload.message)
    if (said?.type === 'lpa') end = said.payload
  }
  const failure = await runProgram('lpac', args, waits, hear).then(
    () => undefined,
    (error: ProgramTrouble) => error
  )
  if (end?.code === 0) return end.data as Data
  if (failure?.missing) throw new ProgramTrouble('There is no LPA program: lpac is not installed', true)
  if (!end) throw failure ?? new ProgramTrouble('lpac said nothing')
  const { message = 'failed', data } = end
  throw new ProgramTrouble(`${message}${typeof data === 'string' && data ? `: ${data}` : ''}`.slice(0, 300))
}

export async function readEsim(): Promise<{ eid: string | null; profiles: EsimProfile[] }> {
  const chip = await lpac<{ eidValue?: string }>(['chip', 'info'])
  return { eid: cut(chip.eidValue, 40), profiles: await listProfiles() }
}

async function listProfiles(waits?: number): Promise<EsimProfile[]> {
  const profiles = (await lpac<Listed[] | null>(['profile', 'list'], waits)) ?? []
  return profiles.slice(0, mostProfiles).map((each) => ({
    aid: cut(each.isdpAid, 64),
    iccid: (each.iccid ?? '').slice(0, 20),
    provider: cut(each.serviceProviderName),
    name: cut(each.profileNickname ?? each.profileName),
    enabled: each.profileState === 'enabled',
  }))
}

/** Enables or disables one, within so many ms. Where it is so already, as after an interruption, nothing is done. */
export async function setProfile({ do: act, iccid }: ProfileStep, waits: number): Promise<void> {
  const left = timeLeft(waits)
  const profiles = await listProfiles(left())
  const enable = act === 'enable_profile'
  if (profiles.find((each) => each.iccid === iccid)?.enabled !== enable)
    await lpac(['profile', enable ? 'enable' : 'disable', iccid], left())
}

/** What became of it: the profile that was added, and why it has not the name that it should have. */
type Done = { iccid?: string | undefined; words: string | null }

export async function doJob(job: EsimJob, onStep: (step: string, percent: number) => void): Promise<Done> {
  let done: Done = { words: null }
  if (job.do === 'delete') await lpac(['profile', 'delete', job.iccid])
  else {
    const before = (await listProfiles()).map(({ iccid }) => iccid)
    const confirmation = job.confirmation === null ? [] : ['-c', job.confirmation]
    await lpac(['profile', 'download', '-a', job.code, ...confirmation], downloadWaits, (step) => {
      const at = downloadSteps.indexOf(step)
      onStep(step, Math.round((Math.max(0, at) / downloadSteps.length) * 100))
    })
    // From here on it is there, whatever else fails.
    done = await nameAdded(before, job.name).catch((error: unknown) => ({ words: `It has no name: ${(error as Error).message}` }))
  }
  await notifyProviders()
  return done
}

async function nameAdded(before: readonly string[], name: string | undefined): Promise<Done> {
  const iccid = (await listProfiles()).find((each) => !before.includes(each.iccid))?.iccid
  if (iccid === undefined || name === undefined) return { iccid, words: null }
  return lpac(['profile', 'nickname', iccid, name]).then(
    () => ({ iccid, words: null }),
    (error: unknown) => ({ iccid, words: `It has no name: ${(error as Error).message}` })
  )
}

/** The servers of the profiles are notified of what became of them; what could not be sent is sent the next time. */
export const notifyProviders = () => lpac(['notification', 'process', '-a', '-r'], 60_000).catch(() => undefined)
