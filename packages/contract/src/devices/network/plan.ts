import { metricStep, type DesiredNetwork, type DesiredWifi } from './settings.ts'

type ApnSettings = { name: string | null; user: string | null; password: string | null }

/** A connection that the network manager has for an interface. */
export type Connection = {
  /** The manager's own id. */
  uuid: string
  /** The manager's name of the device, and that of the interface; null: it is not in use. */
  device: string | null
  interface: string | null
  /** Null: the manager chooses. */
  metric: number | null
  /** Of a cellular connection. */
  apn: ApnSettings | null
  /** Of a connection to a Wi-Fi network that was made from here; those of the device itself are left alone. */
  wifi: DesiredWifi | null
  isWifi: boolean
}

export type Profile = { iccid: string; enabled: boolean }

export type ConnectionStep =
  | { do: 'set_metric'; uuid: string; device: string; metric: number | null }
  /** `withProfile`: another profile is enabled after it, and connects with it; the one that is in use would not. */
  | { do: 'set_apn'; uuid: string; apn: ApnSettings; withProfile?: boolean | undefined }
  /** Makes the connection, or sets it so, and connects. */
  | { do: 'set_wifi'; wifi: DesiredWifi }
  | { do: 'forget_wifi'; ssid: string }
  | { do: 'connect'; uuid: string }
export type ProfileStep = { do: 'enable_profile'; iccid: string } | { do: 'disable_profile'; iccid: string }
export type NetworkStep = ConnectionStep | ProfileStep
export const isProfileStep = (step: NetworkStep): step is ProfileStep => step.do === 'enable_profile' || step.do === 'disable_profile'

/** What was changed and is undone unless the server is reached. It is on the disk before the first step. */
export type Trial = {
  generation: number
  undo: NetworkStep[]
  began_at: string
  until: string
  words: string | null
  /** Its undoing has begun, and is not given up again. */
  ending: { state: 'undone' | 'failed'; words: string } | null
}
/** How the latest change ended. */
export type Outcome = {
  generation: number
  state: 'kept' | 'undone' | 'failed'
  words: string | null
  began_at: string
  ended_at: string
}

type NetworkMove =
  | { do: 'rest' }
  /** Nothing of it can be done now. */
  | { do: 'cannot'; words: string }
  | { do: 'try'; steps: NetworkStep[]; undo: NetworkStep[]; words: string | null }
  /** See whether the server is reached. */
  | { do: 'check' }
  | { do: 'keep'; words: string | null }
  | { do: 'undo'; state: 'undone' | 'failed'; words: string }

type Known = {
  connections: readonly Connection[]
  desired: DesiredNetwork | null
  trial: Trial | null
  /** The trial was begun by this very run of the agent. */
  own: boolean
  /** A new connection reached the server since the change. */
  reached: boolean
  /** Its time is over. */
  over: boolean
  last: Outcome | null
  /** There is a Wi-Fi interface. */
  hasWifi: boolean
  /** Of its eSIM; null: it cannot be read. */
  profiles: readonly Profile[] | null
}

const notReached = 'The server was not reached with it'
const interrupted = 'The agent was interrupted before it reached the server with it'

/**
 * What comes next. One change at a time: the next one waits until the one before is kept or undone. What was undone or failed is not tried again
 * until something else is wanted; what is as wanted is left alone.
 */
export function planNetwork({ connections, desired, trial, own, reached, over, last, hasWifi, profiles }: Known): NetworkMove {
  if (trial) {
    if (trial.ending) return { do: 'undo', ...trial.ending }
    if (!own) return { do: 'undo', state: 'undone', words: interrupted }
    if (reached) return { do: 'keep', words: trial.words }
    return over ? { do: 'undo', state: 'undone', words: notReached } : { do: 'check' }
  }
  if (!desired) return { do: 'rest' }
  const isKnown = last?.generation === desired.generation
  if (isKnown && last.state !== 'kept') return { do: 'rest' }
  const words = missingWords(connections, desired, { hasWifi, profiles })
  const switches = profileSteps(profiles, desired)
  const steps = [...stepsTo(connections, desired, switches.length > 0), ...(hasWifi ? wifiSteps(connections, desired) : []), ...switches]
  if (steps.length > 0) {
    const undo = steps.flatMap((step) => undoOf(step, connections, profiles)).toReversed()
    // Profiles last, as they are enabled: each connects with the APN that is there by then, and its modem may take its time.
    return { do: 'try', steps, undo: [...undo.filter((step) => !isProfileStep(step)), ...undo.filter(isProfileStep)], words }
  }
  const lacks =
    (desired.apn && !connections.some(({ apn }) => apn)) ||
    (desired.wifi && desired.wifi.length > 0 && !hasWifi) ||
    (desired.profile && !profiles?.some(({ iccid }) => iccid === desired.profile))
  if (lacks) return { do: 'cannot', words: words! }
  return isKnown ? { do: 'rest' } : { do: 'keep', words }
}

const hasName = ({ device, interface: name }: Connection, wanted: string) => device !== null && (name === wanted || device === wanted)

function stepsTo(connections: readonly Connection[], { priority, apn }: DesiredNetwork, withProfile: boolean): NetworkStep[] {
  const order = (priority ?? []).flatMap((name, i): NetworkStep[] => {
    const metric = (i + 1) * metricStep
    return connections
      .filter((each) => hasName(each, name) && each.metric !== metric)
      .map(({ uuid, device }) => ({ do: 'set_metric', uuid, device: device!, metric }))
  })
  const cellular = apn
    ? connections
        .filter((each) => each.apn && !isSame(each.apn, apn))
        .map(({ uuid }): NetworkStep => ({ do: 'set_apn', uuid, apn, ...(withProfile && { withProfile }) }))
    : []
  return [...order, ...cellular]
}

const isSame = (one: ApnSettings, other: ApnSettings) =>
  one.name === other.name && one.user === other.user && one.password === other.password

function wifiSteps(connections: readonly Connection[], { wifi: wanted }: DesiredNetwork): NetworkStep[] {
  if (!wanted) return []
  const ours = connections.flatMap(({ wifi }) => wifi ?? [])
  const gone = ours.filter((each) => !wanted.some(({ ssid }) => ssid === each.ssid))
  const other = wanted.filter((each) => !ours.some((one) => isSameWifi(one, each)))
  return [
    ...gone.map(({ ssid }): NetworkStep => ({ do: 'forget_wifi', ssid })),
    ...other.map((wifi): NetworkStep => ({ do: 'set_wifi', wifi })),
  ]
}

const isSameWifi = (one: DesiredWifi, other: DesiredWifi) =>
  one.ssid === other.ssid && one.security === other.security && one.hidden === other.hidden && one.password === other.password

function profileSteps(profiles: readonly Profile[] | null, { profile }: DesiredNetwork): NetworkStep[] {
  const wanted = profiles?.find(({ iccid }) => iccid === profile)
  return wanted && !wanted.enabled ? [{ do: 'enable_profile', iccid: wanted.iccid }] : []
}

/** What puts back what a step changes, the last of it first: a network that was in use is connected again at the end. */
function undoOf(step: NetworkStep, connections: readonly Connection[], profiles: readonly Profile[] | null): NetworkStep[] {
  if (step.do === 'connect') return []
  if (isProfileStep(step)) {
    const before = profiles?.find(({ enabled }) => enabled)
    return [before ? { do: 'enable_profile', iccid: before.iccid } : { do: 'disable_profile', iccid: step.iccid }]
  }
  if (step.do === 'set_metric' || step.do === 'set_apn') {
    const before = connections.find(({ uuid }) => uuid === step.uuid)!
    return step.do === 'set_metric' ? [{ ...step, metric: before.metric }] : [{ ...step, apn: before.apn! }]
  }
  const ssid = step.do === 'set_wifi' ? step.wifi.ssid : step.ssid
  const before = connections.find(({ wifi }) => wifi?.ssid === ssid)?.wifi
  const inUse = connections.find(({ isWifi, device, wifi }) => isWifi && device !== null && wifi?.ssid !== ssid)
  return [
    ...(inUse ? [{ do: 'connect' as const, uuid: inUse.uuid }] : []),
    before ? { do: 'set_wifi', wifi: before } : { do: 'forget_wifi', ssid },
  ]
}

/** What of it cannot be set, in words. */
function missingWords(
  connections: readonly Connection[],
  { priority, apn, wifi, profile }: DesiredNetwork,
  { hasWifi, profiles }: Pick<Known, 'hasWifi' | 'profiles'>
): string | null {
  const absent = (priority ?? []).filter((name) => !connections.some((each) => hasName(each, name)))
  const words = [
    ...(absent.length > 0 ? [`No connection now: ${absent.join(', ')}. Its place counts once it has one`] : []),
    ...(apn && !connections.some((each) => each.apn) ? ['NetworkManager has no cellular connection whose APN could be set'] : []),
    ...(wifi && wifi.length > 0 && !hasWifi ? ['The device has no Wi-Fi interface that NetworkManager uses'] : []),
    ...(profile && !profiles?.some(({ iccid }) => iccid === profile) ? [`The eSIM has no profile ${profile}`] : []),
  ]
  return words.length > 0 ? words.join('. ') : null
}

/** What the agent knows of the PIN of a generation. `trying`: it is on its way to the SIM, or was when the agent ended. */
type PinMemory = { generation: number; state: 'trying' | 'unlocked' | 'refused' | 'failed'; words: string | null; at: string }

/** Whether a PIN is given to the SIM now. Each is tried once, and none at the last try: then the SIM would ask for its PUK. */
export function planPin({
  pin,
  lock,
  tries,
  memory,
}: {
  pin: DesiredNetwork['pin']
  lock: string | null
  tries: number | null
  memory: PinMemory | null
}): { do: 'rest' } | { do: 'enter' } | { do: 'refuse'; words: string } {
  if (!pin || lock !== 'sim-pin') return { do: 'rest' }
  // One that was right before is right after a restart of the device, too.
  if (memory?.generation === pin.generation && memory.state !== 'unlocked') return { do: 'rest' }
  if (tries !== null && tries < 2) return { do: 'refuse', words: 'Only one try is left, and the agent does not use the last one' }
  return { do: 'enter' }
}
