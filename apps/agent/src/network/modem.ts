import type { Modem } from '@masthead/contract/devices/network/reported'
import { runProgram } from './run-program.ts'

type ModemReply = {
  modem?: {
    '3gpp'?: { imei?: string; 'operator-code'?: string; 'operator-name'?: string }
    generic?: {
      'access-technologies'?: string[]
      'equipment-identifier'?: string
      manufacturer?: string
      model?: string
      revision?: string
      'signal-quality'?: { value?: string }
      sim?: string
      state?: string
      'unlock-required'?: string
      'unlock-retries'?: string[]
    }
  }
}

const ask = async <Answer>(args: readonly string[]) => JSON.parse(await runProgram('mmcli', [...args, '-J'])) as Answer
const cut = (text: string | undefined, most = 80) => (text && text !== '--' ? text.slice(0, most) : null)

/** The first modem that ModemManager has, and where its SIM is. */
export async function readModem(): Promise<{ modem: Modem; sim: string | null } | null> {
  const [path] = (await ask<{ 'modem-list'?: string[] }>(['-L']))['modem-list'] ?? []
  if (!path) return null
  const { modem = {} } = await ask<ModemReply>(['-m', path])
  const { '3gpp': network = {}, generic = {} } = modem
  const asked = cut(generic['unlock-required'], 40)
  // A second PIN guards other things, and no connection waits for it.
  const lock = asked === null || asked === 'none' || asked.endsWith('2') ? null : asked
  const tries = generic['unlock-retries']?.map((each) => /^sim-pin \((\d+)\)$/.exec(each)?.[1]).find((each) => each !== undefined)
  const signal = Number(generic['signal-quality']?.value)
  return {
    modem: {
      manufacturer: cut(generic.manufacturer),
      model: cut(generic.model),
      firmware: cut(generic.revision),
      // While its SIM is locked it is in no network, and stands there alone.
      imei: cut(network.imei, 20) ?? cut(generic['equipment-identifier'], 20),
      state: cut(generic.state, 40),
      operator: cut(network['operator-name']),
      operator_code: cut(network['operator-code'], 10),
      technology: cut(generic['access-technologies']?.join(', ')),
      signal_pct: Number.isFinite(signal) ? Math.round(signal) : null,
      lock,
      pin_tries: tries === undefined ? null : Number(tries),
    },
    sim: cut(generic.sim, 200),
  }
}

export const unlockSim = async (sim: string, pin: string): Promise<void> =>
  void (await runProgram('mmcli', ['-i', sim, `--pin=${pin}`], 30_000))
