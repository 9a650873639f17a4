# src/gate: obstat-gate. libc only, always static, no other room's code.
