/** A SIM by its key. */
export type SimOf = { account_id: string; sim_id: string }

/** A SIM as the details of events name it. */
export type NamedSim = SimOf & { iccid: string; asset_id: string; asset_name: string }
