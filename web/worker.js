/* The program in a Worker. Each message is {id, call, ...}; the answer is {id, result} or {id, error}.
 * The page ends this Worker and starts another where a call traps or takes too long. */
"use strict";

let program; // emscripten's module, once it runs
let lines = []; // written by the command that runs

function unpack(module, pack) {
    for (const [path, [start, end]] of Object.entries(pack.index)) {
        module.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
        module.FS.writeFile(path, pack.bytes.subarray(start, end));
    }
}

async function start({ wasm, pack }) {
    program = await createTexgauge({
        instantiateWasm(imports, done) {
            WebAssembly.instantiate(wasm, imports).then((instance) => done(instance));
            return {};
        },
        print: (line) => lines.push(line),
        // The progress line overwrites itself by a carriage return and ESC [ K.
        printErr: (line) => {
            if (line.startsWith("\x1b[K"))
                postMessage({ progress: line.slice(3) });
            else if (line)
                lines.push(line);
        },
        preRun: [(module) => {
            module.ENV.TEXGAUGE_DATADIR = "/data";
            module.ENV.TEXGAUGE_FONTS = "/data/fonts";
            module.ENV.NO_COLOR = "1";
            const put = module.TTY.default_tty1_ops.put_char;
            module.TTY.default_tty1_ops.put_char = (tty, code) => put(tty, code === 13 ? 10 : code);
            unpack(module, pack);
        }],
    });
    // A new file has mode 000 in a browser; emscripten asks for permissions once it runs.
    program.FS.ignorePermissions = true;
}

/* Call a function of entry.c with texts; it returns JSON. */
function call(name, ...texts) {
    const pointers = texts.map((text) => program.allocateUTF8(text));
    const answer = program["_web_" + name](...pointers);
    const text = program.UTF8ToString(answer);
    program._free(answer);
    pointers.forEach((pointer) => program._free(pointer));
    return JSON.parse(text);
}

/* Run a command on files: {name: bytes}. Returns what it printed, its status, and what it wrote. */
function run({ words, files, wanted }) {
    program.FS.mkdir("/run"); // the page uses a Worker for one command
    program.FS.chdir("/run");
    for (const [name, bytes] of Object.entries(files || {}))
        program.FS.writeFile(name, bytes);
    lines = [];
    let status;
    try {
        status = program.callMain(words);
    } catch (error) {
        if (error.name !== "ExitStatus")
            throw error;
        status = error.status;
    }
    const found = {};
    for (const name of wanted || [])
        if (program.FS.analyzePath(name).exists)
            found[name] = program.FS.readFile(name);
    return { status, text: lines.join("\n"), files: found };
}

const calls = {
    start,
    fonts: ({ pack }) => unpack(program, pack),
    score: ({ metrics, reference, prediction }) => call("score", metrics, reference, prediction),
    explain: ({ metric, reference, prediction }) => call("explain", metric, reference, prediction),
    draw: ({ formula }) => call("draw", formula),
    run,
};

onmessage = async ({ data }) => {
    try {
        postMessage({ id: data.id, result: await calls[data.call](data) });
    } catch (error) {
        postMessage({ id: data.id, error: String(error && (error.errno ? `file system error ${error.errno}` : error.message) || error) });
    }
};
