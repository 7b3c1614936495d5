import { isIP } from 'node:net'
import { GatewaySecret } from '@masthead/contract/backoffice/gateway-operations'
import {
  addGateway,
  addGatewayAddress,
  joinGateways,
  removeGateway,
  removeGatewayAddress,
  rotateGatewaySecret,
} from '../backoffice/index.ts'
import { table, UsageError } from './command-words.ts'
import { getAddressOf, getGatewayId, listGateways } from '../gateways/index.ts'
import { systemActor, type App } from '../kernel/app.ts'
import { prepareSecretKeys } from '../kernel/secrets/secret-keys.ts'

export const gatewayHelp = `  gateway add NAME ADDRESS          Let a packet gateway report by RADIUS
      [--secret SECRET]             its shared secret, 16 to 128 characters; without, a new one is made and shown
      [--legacy]                    it may send Access-Requests without Message-Authenticator
      [--coa-port PORT]             where it takes Disconnect-Requests (3799)
  gateway add-address NAME|ADDRESS ADDRESS
                                    Let it report from one more address; takes the same three options
  gateway remove-address ADDRESS    Remove an address; the last one of a gateway stays
  gateway list                      Every gateway with its addresses, and when each was last seen
  gateway secret NAME|ADDRESS       Give it another secret at this address, or at its only one
      [--secret SECRET]
  gateway join NAME|ADDRESS OTHER   Make the other gateway a part of this one: its addresses and its sessions become this one's
  gateway remove NAME|ADDRESS       Remove a gateway that has reported nothing`

type Options = { secret?: string | undefined; legacy: boolean; 'coa-port': string }
type Command = {
  words: [least: number, most: number]
  takes?: (keyof Options)[]
  run: (app: App, given: { words: string[]; options: Options }) => Promise<string>
}

/** What the operator of an installation does to gateways. */
export const gatewayCommands: Record<string, Command> = {
  'gateway add': {
    words: [2, 2],
    takes: ['secret', 'legacy', 'coa-port'],
    run: async (app, { words: [name = '', address = ''], options }) => {
      const at = addressOf(address, options)
      await prepareSecretKeys(app.db, app.config)
      const { secret } = await app.db.transaction().execute((tx) => addGateway(tx, actorOf(app), { name, ...at }))
      return `${name} at ${address} may report now.${at.secret ? '' : ` Its secret is ${secret}`}`
    },
  },
  'gateway add-address': {
    words: [2, 2],
    takes: ['secret', 'legacy', 'coa-port'],
    run: async (app, { words: [named = '', address = ''], options }) => {
      const at = addressOf(address, options)
      await prepareSecretKeys(app.db, app.config)
      const { secret } = await app.db
        .transaction()
        .execute(async (tx) => addGatewayAddress(tx, actorOf(app), await getGatewayId(tx, named), at))
      return `${named} may report from ${address} too.${at.secret ? '' : ` Its secret there is ${secret}`}`
    },
  },
  'gateway remove-address': {
    words: [1, 1],
    run: async (app, { words: [address = ''] }) => {
      if (!isIP(address)) throw new UsageError(`${address} is not an IP address`)
      await app.db.transaction().execute(async (tx) => removeGatewayAddress(tx, actorOf(app), await getAddressOf(tx, address)))
      return `Nothing is taken from ${address} any more.`
    },
  },
  'gateway list': {
    words: [0, 0],
    run: async ({ db, clock }) =>
      table(
        ['NAME', 'ADDRESS', 'COA PORT', 'LEGACY', 'LAST SEEN'],
        (await listGateways(db, clock.now())).flatMap(({ name, addresses }) =>
          addresses.map((each) => [name, each.address, String(each.coa_port), each.legacy ? 'yes' : 'no', each.heard_at ?? 'never'])
        )
      ),
  },
  'gateway secret': {
    words: [1, 1],
    takes: ['secret'],
    run: async (app, { words: [named = ''], options: { secret } }) => {
      needSecret(secret)
      await prepareSecretKeys(app.db, app.config)
      const changed = await app.db
        .transaction()
        .execute(async (tx) => rotateGatewaySecret(tx, actorOf(app), await getAddressOf(tx, named), secret))
      return `${named} has another secret.${secret ? '' : ` It is ${changed.secret}`}`
    },
  },
  'gateway join': {
    words: [2, 2],
    run: async (app, { words: [named = '', other = ''] }) => {
      await app.db
        .transaction()
        .execute(async (tx) => joinGateways(tx, actorOf(app), await getGatewayId(tx, named), await getGatewayId(tx, other)))
      return `${other} is a part of ${named} now.`
    },
  },
  'gateway remove': {
    words: [1, 1],
    run: async (app, { words: [named = ''] }) => {
      await app.db.transaction().execute(async (tx) => removeGateway(tx, actorOf(app), await getGatewayId(tx, named)))
      return `${named} is forgotten.`
    },
  },
}

/** As the API asks: an empty one, as of a variable of a script that is not set, or one that can be guessed would let others report. */
function needSecret(secret: string | undefined) {
  if (secret === undefined) return
  if (secret === '') throw new UsageError('The secret is empty: leave --secret out to have one made')
  const { error } = GatewaySecret.safeParse(secret)
  if (error) throw new UsageError(`The secret is refused: ${error.issues[0]!.message}, or leave --secret out to have one made`)
}

/** Where a gateway is to report from, checked. */
function addressOf(address: string, { secret, legacy, 'coa-port': port }: Options) {
  needSecret(secret)
  if (!isIP(address)) throw new UsageError(`${address} is not an IP address`)
  const coa_port = Number(port)
  if (!Number.isInteger(coa_port) || coa_port < 1 || coa_port > 65535) throw new UsageError(`${port} is not a port: 1 to 65535`)
  return { address, secret, legacy, coa_port }
}

const actorOf = ({ clock }: App) => systemActor('', clock.now())
