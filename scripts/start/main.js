#!/usr/bin/env node
import module from 'node:module';

// From Node 22.1 on, later runs reuse the compiled code, which Node caches in a folder of the user.
module.enableCompileCache?.();
await import('./command.js');
